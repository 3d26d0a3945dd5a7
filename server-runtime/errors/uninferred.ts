/**
 * `T`, of which the compiler infers nothing backwards: what a function is given says what it makes, and not where the
 * result goes. `By` is one of its type parameters. `NoInfer` does the same, and stays to be seen in every message.
 */
export type Uninferred<T, By> = { readonly is: T }[By extends unknown ? 'is' : never];
