/** A call of a tool, as those who look on are told of it. */
export interface ToolCall {
  /** When it began, milliseconds since 1970. */
  readonly at: number;
  readonly tool: string;
  /** Key of the capability; undefined for a tool that finds others, and for a name that no tool has. */
  readonly capability: string | undefined;
  /** The tokens of its arguments, which the model has written. */
  readonly inputTokens: number;
  /** The tokens of its answer, which the model reads. */
  readonly outputTokens: number;
  readonly durationMs: number;
  readonly isError: boolean;
  /** The name of the client, as it says of itself. */
  readonly client: string | undefined;
}

const CHARACTERS_OF_TOKEN = 4;

/** An estimate of the tokens of a value in the window of a model: one for four characters of its JSON. */
export function toTokens(value: unknown): number {
  return Math.ceil((JSON.stringify(value) ?? '').length / CHARACTERS_OF_TOKEN);
}
