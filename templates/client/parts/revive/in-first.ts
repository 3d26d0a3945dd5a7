/** The first whose fields are all there, and have one of the values that are named. */
function inFirst(...choices: readonly (readonly [Readonly<Record<string, readonly unknown[] | null>>, Revive])[]): Revive {
  const fits = (value: Fields, signs: (typeof choices)[number][0]): boolean =>
    Object.entries(signs).every(([name, values]) => Object.hasOwn(value, name) && (values === null || values.includes(value[name])));
  return (value) => (isFields(value) ? (choices.find(([signs]) => fits(value, signs))?.[1] ?? same)(value) : value);
}
