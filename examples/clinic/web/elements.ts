/** Finds an element of the page by its selector. */
export function find<Kind extends Element>(selector: string, kind: new () => Kind): Kind {
  const element = document.querySelector(selector);
  if (!(element instanceof kind)) throw new Error(`The page has no ${selector}`);
  return element;
}

/** Reads a text field of a form. */
export function read(form: HTMLFormElement, name: string): string {
  const value = new FormData(form).get(name);
  return typeof value === 'string' ? value : '';
}

export function note(text: string): void {
  find('#note', HTMLElement).textContent = text;
}

/** Shows each row as text, so that nothing of it is read as HTML. */
export function showRows(rows: readonly string[]): void {
  const items = rows.map((row) =>
    Object.assign(document.createElement('li'), { textContent: row }),
  );
  find('#bookings', HTMLUListElement).replaceChildren(...items);
}
