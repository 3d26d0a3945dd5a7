import type { Point } from './key-name.ts';

/** A part of the screen that can be clicked. */
export interface ClickTarget {
  /** As of the keys that it belongs to. */
  readonly priority: number;
  /** The place that it has now; undefined where it is not drawn. */
  readonly findBox: () => ScreenBox | undefined;
  /** `point`: from the top left corner of the part on. */
  readonly onClick: (point: Point) => void;
}

/** A place in the window and its size. */
export interface ScreenBox extends Point {
  readonly columns: number;
  readonly rows: number;
}

export interface ClickTargets {
  readonly add: (target: { readonly current: ClickTarget }) => () => void;
  /** Tells every target from `lowest` on that a point is in, the outer ones first: a pane gets the keys before its row is selected. */
  readonly click: (point: Point, lowest: number) => void;
}

export function createClickTargets(): ClickTargets {
  const targets = new Set<{ readonly current: ClickTarget }>();
  return {
    add: (target) => {
      targets.add(target);
      return () => void targets.delete(target);
    },
    click: (point, lowest) => {
      const hit = [...targets].flatMap(({ current: target }) => {
        const box = target.priority >= lowest ? target.findBox() : undefined;
        return box !== undefined && isInside(point, box) ? [{ target, box }] : [];
      });
      for (const { target, box } of hit.toSorted((a, b) => toArea(b.box) - toArea(a.box)))
        target.onClick({ column: point.column - box.column, row: point.row - box.row });
    },
  };
}

function isInside({ column, row }: Point, box: ScreenBox): boolean {
  return column >= box.column && column < box.column + box.columns && row >= box.row && row < box.row + box.rows;
}

function toArea({ columns, rows }: ScreenBox): number {
  return columns * rows;
}
