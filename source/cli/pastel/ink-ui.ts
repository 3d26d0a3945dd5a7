/** Stands in for @inkjs/ui where Pastel imports it: Pastel only names it as the type of the element that `render` in `ink.ts` gets. */
export const StatusMessage = 'status-message';
