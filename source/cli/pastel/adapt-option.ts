import { type Command, InvalidArgumentError, type Option } from 'commander';
import { givenTwice } from './to-usage-error.ts';

/**
 * Mends the options that Pastel makes of a schema:
 * - a list takes one value each time it is given (`-H a -H b`) instead of swallowing every operand after it;
 * - one that takes one value is given once;
 * - a value is never left out, and is not another option of the command (`--output --json`);
 * - a number is a whole decimal literal: `12abc` is refused;
 * - an option without default and not optional in the schema is mandatory;
 * - a switch whose own name begins with "no" is an option of its own: `--no-watch` beside `--watch <glob>`.
 */
export function adaptOption(option: Option, command: Command): Option {
  if (option.negate && option.defaultValue === false) option.negate = false;
  if (option.isBoolean() || option.negate) return option;
  const isMandatory = option.required && option.defaultValue === undefined;
  const parse = toParser(option);
  const { variadic } = option;
  option.flags = option.flags.replace(/[[<]([^\]>.]+)(?:\.\.\.)?[\]>]$/, '<$1>');
  option.required = true;
  option.optional = false;
  option.variadic = false;
  option.argParser((value: string, previous: unknown) => {
    if (command.getOptionValueSource(option.attributeName()) === 'cli' && !variadic) throw givenTwice(option, command);
    const isOption = command.options.some(({ short, long }) => value === short || value === long);
    if (isOption)
      throw new InvalidArgumentError(
        `It is an option; the value is missing. Write ${option.long}=${value} if it is meant.`,
      );
    return parse(value, previous);
  });
  return option.makeOptionMandatory(isMandatory);
}

type Parser = (value: string, previous: unknown) => unknown;

/** Pastel sets a parser of its own on sets, on enumerations (which have choices) and on numbers. */
function toParser(option: Option): Parser {
  const { parseArg, variadic, argChoices, defaultValue } = option;
  if (variadic)
    return (value, previous) => [
      ...(previous === defaultValue ? [] : ((previous as Iterable<string> | undefined) ?? [])),
      value,
    ];
  if (argChoices && parseArg) return (value, previous) => parseArg(value, previous as never);
  if (parseArg) return toNumber;
  return (value) => value;
}

function toNumber(value: string): number {
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(value)) throw new InvalidArgumentError('Expected a number.');
  return Number(value);
}
