function accepts(types: string) {
  return (_fields: Fields, { headers }: Outgoing): void => headers.set('accept', types);
}
