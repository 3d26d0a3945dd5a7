/** Fields that travel in headers, with the names that they have there. */
function toHeaders(names: Readonly<Record<string, string>>) {
  return (fields: Fields, { headers }: Outgoing): void => {
    for (const field in names) {
      const value = fields[field];
      delete fields[field];
      if (value !== undefined && value !== null) headers.set(names[field]!, (Array.isArray(value) ? value : [value]).map(toText).join(', '));
    }
  };
}
