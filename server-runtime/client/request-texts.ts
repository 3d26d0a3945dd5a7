/** A value as a text in a path, a header or a form. */
export function toParameterText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? toBodyText(value) : String(value as string | number | bigint | boolean);
}

/** A bigint, which JSON has no word for, is the text of its digits. */
export function toBodyText(value: object): string {
  return JSON.stringify(value, (_name, each: unknown) => (typeof each === 'bigint' ? String(each) : each));
}

/** `?tags=a&tags=b`, `?filter[state]=open`, `?lines[0][sku]=x`; empty where there is no field. */
export function toQueryText(fields: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  const add = (name: string, value: unknown): void => {
    if (value === null || value === undefined) return;
    if (typeof value !== 'object' || value instanceof Date) return query.append(name, toParameterText(value));
    const hasParts = !Array.isArray(value) || value.some((each) => typeof each === 'object');
    for (const [key, each] of Object.entries(value)) add(hasParts ? `${name}[${key}]` : name, each);
  };
  for (const name in fields) add(name, fields[name]);
  const text = query.toString();
  return text && `?${text}`;
}

/** A form. Files come last: a server that reads one as it arrives has to have the other fields by then. */
export function toForm(fields: Readonly<Record<string, unknown>>): FormData {
  const form = new FormData();
  // The items of a list of files or texts are parts of their own.
  const parts = Object.entries(fields).flatMap(([name, value]) =>
    (isPlainList(value) ? value : [value]).map((each) => [name, each] as const),
  );
  for (const [name, value] of parts) {
    if (value === null || value === undefined || value instanceof Blob) continue;
    const isText = typeof value !== 'object' || value instanceof Date;
    form.append(name, isText ? toParameterText(value) : new Blob([toBodyText(value)], { type: 'application/json' }));
  }
  for (const [name, value] of parts)
    if (value instanceof Blob) form.append(name, value, 'name' in value ? String(value.name) : 'file');
  return form;
}

function isPlainList(value: unknown): value is unknown[] {
  const isPart = (each: unknown): boolean => each instanceof Blob || each === null || typeof each !== 'object';
  return Array.isArray(value) && value.every(isPart);
}
