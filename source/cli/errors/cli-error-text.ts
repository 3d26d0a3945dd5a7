import { stripControl } from '../../terminal/control/strip-control.ts';
import { type CatalogueEntry, type CliErrorCode, cliErrors } from './cli-errors.ts';

/** The values that the message of an error is filled in with, by the names in its braces. */
export type CliErrorValues<Code extends CliErrorCode> =
  NamesIn<(typeof cliErrors)[Code]['message']> extends infer Names
    ? { readonly [Name in Names & string]: string | number }
    : never;

type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

/** Message and hint of an error, with its values, which lose their escape sequences: they may be anybody's text. */
export function toCliErrorText<Code extends CliErrorCode>(
  code: Code,
  values: CliErrorValues<Code>,
): { readonly code: Code; readonly message: string; readonly hint: string | undefined } {
  const { message, hint }: CatalogueEntry = cliErrors[code];
  const texts: Readonly<Record<string, string | number>> = values;
  return { code, message: message.replaceAll(/\{(\w+)\}/g, (_, name: string) => stripControl(`${texts[name]}`)), hint };
}
