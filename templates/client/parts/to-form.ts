/** A form. Files come last: a server that reads one as it arrives has to have the other fields by then. */
function toForm(fields: Fields, to: Outgoing): void {
  const form = new FormData();
  // The items of a list of files or texts are parts of their own.
  const isList = (value: unknown): value is unknown[] => Array.isArray(value) && value.every((each) => each instanceof Blob || each === null || typeof each !== 'object');
  const parts = Object.entries(fields).flatMap(([name, value]) => (isList(value) ? value : [value]).map((each) => [name, each] as const));
  for (const [name, value] of parts)
    if (value !== null && value !== undefined && !(value instanceof Blob))
      form.append(name, typeof value !== 'object' || value instanceof Date ? toText(value) : new Blob([toJsonText(value)], { type: 'application/json' }));
  for (const [name, value] of parts) if (value instanceof Blob) form.append(name, value, 'name' in value ? String(value.name) : 'file');
  to.headers.delete('content-type');
  to.body = form;
}
