export type Environment = Readonly<Record<string, string | undefined>>;

/** A `${NAME}` that has no value. */
export class UnsetVariable extends Error {
  readonly variable: string;

  constructor(variable: string) {
    super(`the variable ${variable} is not set`);
    this.variable = variable;
  }
}

/**
 * A text with the values of its variables, written `${NAME}`.
 *
 * @throws UnsetVariable
 */
export function expandVariables(text: string, variables: Environment): string {
  return text.replaceAll(/\$\{([A-Za-z_]\w*)\}/g, (_, name: string) => {
    const value = variables[name];
    if (value === undefined) throw new UnsetVariable(name);
    return value;
  });
}
