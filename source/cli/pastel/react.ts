/** Stands in for React where Pastel imports it: the element only carries the props to `render` in `ink.ts`. */
export function createElement(type: unknown, props: object): { readonly type: unknown; readonly props: object } {
  return { type, props };
}

export const jsx = createElement;
export default { createElement };
