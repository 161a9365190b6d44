/** What is marked on the scrollbar: bookmarks, matches, the current match. */

const HEIGHT = 3;

export interface Marked {
  lines: Iterable<number>;
  color: string;
  /** Which part of the bar's width they take, from the left. */
  from: number;
  to: number;
}

export class ScrollbarMarks {
  private readonly context: CanvasRenderingContext2D;

  constructor(private readonly canvas: HTMLCanvasElement) {
    this.context = canvas.getContext("2d") as CanvasRenderingContext2D;
  }

  draw(total: number, marked: Marked[]): void {
    const { canvas, context } = this;
    const ratio = window.devicePixelRatio;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    context.scale(ratio, ratio);
    const style = getComputedStyle(document.documentElement);
    for (const { lines, color, from, to } of marked) {
      context.fillStyle = style.getPropertyValue(color) || "gray";
      for (const line of lines) {
        const y = ((line - 1) / Math.max(1, total)) * (height - HEIGHT);
        context.fillRect(from * width, Math.round(y), (to - from) * width, HEIGHT);
      }
    }
  }
}
