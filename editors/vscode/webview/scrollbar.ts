/** A scrollbar of our own: the browser's needs an element as tall as the file. */

export class Scrollbar {
  private readonly thumb: HTMLElement;
  private thumbStart = 0;

  /** `drag` gets where the thumb was moved to, in pixels; `release` comes at the end of it. */
  constructor(
    readonly bar: HTMLElement,
    private readonly axis: "y" | "x",
    private readonly drag: (offset: number) => void,
    release: () => void,
  ) {
    this.thumb = bar.querySelector(".thumb") as HTMLElement;
    bar.addEventListener("pointerdown", (event) => this.start(event));
    bar.addEventListener("pointerup", release);
    bar.addEventListener("pointercancel", release);
  }

  get track(): number {
    return this.axis === "y" ? this.bar.clientHeight : this.bar.clientWidth;
  }

  place(offset: number, length: number): void {
    this.thumbStart = offset;
    const translate = this.axis === "y" ? "translateY" : "translateX";
    this.thumb.style.transform = `${translate}(${offset}px)`;
    this.thumb.style[this.axis === "y" ? "height" : "width"] = `${length}px`;
    this.bar.classList.toggle("needless", length >= this.track);
  }

  announce(now: number, max: number): void {
    this.bar.setAttribute("aria-valuemin", "1");
    this.bar.setAttribute("aria-valuenow", String(now));
    this.bar.setAttribute("aria-valuemax", String(max));
  }

  /** A press outside the thumb moves its middle there, as in VS Code's editors. */
  private start(event: PointerEvent): void {
    if (event.button !== 0) {
      return;
    }
    event.preventDefault();
    const box = this.bar.getBoundingClientRect();
    const at = (pointer: PointerEvent) =>
      this.axis === "y" ? pointer.clientY - box.top : pointer.clientX - box.left;
    const thumb = this.axis === "y" ? this.thumb.offsetHeight : this.thumb.offsetWidth;
    const inside = at(event) - this.thumbStart;
    const hold = inside >= 0 && inside <= thumb ? inside : thumb / 2;
    const move = (pointer: PointerEvent) => this.drag(at(pointer) - hold);
    this.bar.setPointerCapture(event.pointerId);
    this.bar.classList.add("dragged");
    this.bar.addEventListener("pointermove", move);
    this.bar.addEventListener(
      "lostpointercapture",
      () => {
        this.bar.removeEventListener("pointermove", move);
        this.bar.classList.remove("dragged");
      },
      { once: true },
    );
    move(event);
  }
}
