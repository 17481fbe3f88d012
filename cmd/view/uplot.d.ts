// What the page uses of uPlot 1.6.32, whose minified script stands in web/uplot as it is published.
declare class uPlot {
  constructor(options: object, data: unknown[], into: Element);
  static paths: { stepped(options: { align: 1 | -1 }): unknown };
  scales: Record<string, { min: number; max: number }>;
  cursor: { idx: number | null };
  ctx: CanvasRenderingContext2D;
  over: HTMLElement;
  destroy(): void;
  setScale(key: string, range: { min: number; max: number }): void;
  setCursor(at: { left: number; top: number }, tell?: boolean): void;
  setSize(size: { width: number; height: number }): void;
  valToPos(value: number, scale: string): number;
}
