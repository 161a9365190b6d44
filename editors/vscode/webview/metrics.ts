/** How large a row and a character are, in the editor's font as it is now. */

export interface Metrics {
  rowHeight: number;
  charWidth: number;
}

const SAMPLE = "0".repeat(100);
/** As VS Code's editors have it where no line height is set. */
const LINE_HEIGHT = 1.35;

export function measure(parent: HTMLElement): Metrics {
  const probe = document.createElement("span");
  probe.className = "probe";
  probe.textContent = SAMPLE;
  parent.append(probe);
  const charWidth = probe.getBoundingClientRect().width / SAMPLE.length;
  const fontSize = Number.parseFloat(getComputedStyle(probe).fontSize);
  probe.remove();
  return { rowHeight: Math.max(8, Math.round(fontSize * LINE_HEIGHT)), charWidth: Math.max(1, charWidth) };
}

/** VS Code writes font and theme into the root element's style whenever they change. */
export function onMetricsChanged(parent: HTMLElement, resized: () => void, restyled: () => void): void {
  new ResizeObserver(resized).observe(parent);
  new MutationObserver(() => {
    restyled();
    resized();
  }).observe(document.documentElement, { attributeFilter: ["style"] });
}
