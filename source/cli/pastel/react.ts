/** Stands in for React where Pastel imports it: the element only carries the props to `render` in `ink.ts`. */
export default { createElement: jsx };

/** `react/jsx-runtime`'s name for the same. */
export function jsx(type: unknown, props: object): { readonly type: unknown; readonly props: object } {
  return { type, props };
}
