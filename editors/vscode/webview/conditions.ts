/** What a filter asks beside its terms: level, time, whole records, context. */

import "./conditions.css";
import { clockOf } from "../src/viewer/isoTimes";
import { type Conditions, type Level, NO_CONDITIONS } from "../src/viewer/messages";
import { element } from "./host";
import { setOn } from "./searchField";

/** As many as the daemon takes. */
const MAX_CONTEXT = 20;

export class ConditionControls {
  private readonly box = element("#filter .conditions");
  private readonly level = element<HTMLSelectElement>("#filter .level");
  private readonly recordsButton = element("#filter .records");
  private readonly bounds = element("#filter .bounds");
  private current: Conditions = NO_CONDITIONS;

  /** `leave`: what had the focus goes away. */
  constructor(
    private readonly changed: () => void,
    private readonly leave: () => void,
  ) {
    this.level.addEventListener("change", () =>
      this.change({ level: this.level.value === "" ? null : (this.level.value as Level) }),
    );
    this.recordsButton.addEventListener("click", () => this.change({ records: !this.current.records }));
  }

  get value(): Conditions {
    return this.current;
  }

  /** Without telling of it. */
  set value(conditions: Conditions) {
    this.current = conditions;
    this.draw();
  }

  change(conditions: Partial<Conditions>): void {
    this.value = { ...this.current, ...conditions };
    this.changed();
  }

  moreContext(lines: number): void {
    const context = Math.min(MAX_CONTEXT, Math.max(0, this.current.context + lines));
    this.change({ context });
  }

  private draw(): void {
    const { level, since, until, records, folded, context } = this.current;
    this.level.value = level ?? "";
    this.level.classList.toggle("set", level !== null);
    setOn(this.recordsButton, records);
    this.box.classList.toggle("used", Object.values(this.current).some(Boolean));
    const bounds: [boolean, string, string, Partial<Conditions>][] = [
      [since !== null, `from ${clockOf(since ?? "")}`, `From ${since} on`, { since: null }],
      [until !== null, `until ${clockOf(until ?? "")}`, `Before ${until}`, { until: null }],
      [context > 0, `± ${context}`, `${context} lines around each match (Z, Shift+Z)`, { context: 0 }],
      [folded, "folded", "Only the first line of each record", { folded: false }],
    ];
    const shown = bounds.filter(([isSet]) => isSet);
    this.bounds.replaceChildren(
      ...shown.map(([, text, title, without]) => this.boundOf(text, title, without)),
    );
  }

  private boundOf(text: string, title: string, without: Partial<Conditions>): HTMLElement {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "bound" });
    button.textContent = `${text} ✕`;
    button.title = `${title}: Remove`;
    button.setAttribute("aria-label", `${title}: remove`);
    button.addEventListener("click", () => {
      this.leave();
      this.change(without);
    });
    return button;
  }
}
