/** A function that makes something of an object once, and gives the same again as long as the object lives. */
export function rememberByObject<From extends object, Made>(make: (from: From) => Made): (from: From) => Made {
  const made = new WeakMap<From, { readonly value: Made }>();
  return (from) => {
    const before = made.get(from);
    if (before !== undefined) return before.value;
    const value = make(from);
    made.set(from, { value });
    return value;
  };
}
