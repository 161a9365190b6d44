/** Messages to the extension, and the state kept over tab switches. */

import type { FromPage, Place, Query, ToPage } from "../src/viewer/messages";
import type { FilterState } from "./filterBar";

export interface KeptState {
  place: Place;
  query: Query;
  filter: FilterState;
  /** Missing in what an earlier version kept. */
  following?: boolean;
}

declare function acquireVsCodeApi(): {
  postMessage(message: FromPage): void;
  getState(): KeptState | undefined;
  setState(state: KeptState): void;
};

export const host = acquireVsCodeApi();

export function onMessage(listener: (message: ToPage) => void): void {
  window.addEventListener("message", (event: MessageEvent<ToPage>) => listener(event.data));
}

export function element<Kind extends HTMLElement = HTMLElement>(selector: string): Kind {
  return document.querySelector(selector) as Kind;
}
