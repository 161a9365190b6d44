/** What was searched for before: up and down in the field. */

import type { Query } from "../src/viewer/messages";

const MOST = 50;

export class SearchHistory {
  /** The last one first. */
  private queries: Query[] = [];
  /** Where in the list the field is; -1: at what is being typed. */
  private at = -1;
  private typed: Query | undefined;

  get all(): Query[] {
    return this.queries;
  }

  set all(queries: Query[]) {
    this.queries = queries;
    this.at = -1;
  }

  /** Whether it was not the last one already. */
  add(query: Query): boolean {
    this.at = -1;
    const [last] = this.queries;
    if (query.pattern === "" || (last !== undefined && isSame(last, query))) {
      return false;
    }
    this.queries = [query, ...this.queries.filter((each) => !isSame(each, query))].slice(0, MOST);
    return true;
  }

  /** The one before what the field holds. */
  earlier(current: Query): Query | undefined {
    const isShown = this.at >= 0 || (this.queries[0] !== undefined && isSame(this.queries[0], current));
    if (this.at < 0) {
      this.typed = current;
    }
    const next = this.at < 0 && isShown ? 1 : this.at + 1;
    const query = this.queries[next];
    if (query !== undefined) {
      this.at = next;
    }
    return query;
  }

  later(): Query | undefined {
    if (this.at < 0) {
      return undefined;
    }
    this.at -= 1;
    return this.at < 0 ? this.typed : this.queries[this.at];
  }
}

function isSame(one: Query, other: Query): boolean {
  return (
    one.pattern === other.pattern &&
    one.regex === other.regex &&
    one.ignoreCase === other.ignoreCase &&
    one.wholeWord === other.wholeWord
  );
}
