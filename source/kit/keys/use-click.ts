import type { DOMElement } from 'ink';
import { type RefObject, useContext, useLayoutEffect, useRef } from 'react';
import type { ClickTarget, ScreenBox } from './click-targets.ts';
import type { Point } from './key-name.ts';
import { keyPriority } from './key-stack.ts';
import { KeyContext } from './use-keys.ts';

/** Has a box take the clicks on it: give it the ref. `onClick`: missing where it takes none; the point is from its own corner on. `priority`: as of keys. */
export function useClick(
  onClick: ((point: Point) => void) | undefined,
  priority: number = keyPriority.pane,
): RefObject<DOMElement | null> {
  const stack = useContext(KeyContext);
  const ref = useRef<DOMElement>(null);
  const latest = useRef<ClickTarget>({ priority, findBox: () => undefined, onClick: () => {} });
  useLayoutEffect(() => {
    latest.current = { priority, findBox: () => findBox(ref.current), onClick: (point) => onClick?.(point) };
  });
  const isActive = onClick !== undefined;
  useLayoutEffect(() => (isActive ? stack.addTarget(latest) : undefined), [stack, isActive]);
  return ref;
}

/** The place of a box in the window, which the outermost box fills; undefined for what is not drawn. */
function findBox(element: DOMElement | null): ScreenBox | undefined {
  const { yogaNode } = element ?? {};
  if (element === null || yogaNode === undefined) return undefined;
  const [columns, rows] = [yogaNode.getComputedWidth(), yogaNode.getComputedHeight()];
  if (columns === 0 || rows === 0) return undefined;
  let [column, row] = [0, 0];
  for (let at: DOMElement | undefined = element; at !== undefined; at = at.parentNode) {
    column += at.yogaNode?.getComputedLeft() ?? 0;
    row += at.yogaNode?.getComputedTop() ?? 0;
  }
  return { column, row, columns, rows };
}
