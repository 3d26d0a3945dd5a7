/** `tags=a&tags=b`, `filter[state]=open`, `lines[0][sku]=x`. */
function toQuery(fields: Fields, to: Outgoing): void {
  const query = new URLSearchParams();
  const add = (name: string, value: unknown): void => {
    if (value === null || value === undefined) return;
    if (typeof value !== 'object' || value instanceof Date) return query.append(name, toText(value));
    const hasParts = !Array.isArray(value) || value.some((each) => typeof each === 'object');
    for (const [key, each] of Object.entries(value)) add(hasParts ? `${name}[${key}]` : name, each);
  };
  for (const name in fields) add(name, fields[name]);
  const text = query.toString();
  if (text !== '') to.url += `?${text}`;
}
