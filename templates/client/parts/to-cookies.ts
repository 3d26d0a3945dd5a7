/** Fields that travel in cookies, with the names that they have there. A browser sends its own, and drops these. */
function toCookies(names: Readonly<Record<string, string>>) {
  return (fields: Fields, { headers }: Outgoing): void => {
    for (const field in names) {
      const value = fields[field];
      delete fields[field];
      if (value !== undefined && value !== null) headers.set('cookie', [headers.get('cookie'), `${names[field]}=${encodeURIComponent(toText(value))}`].filter(Boolean).join('; '));
    }
  };
}
