import { expect, it } from 'vitest';
import {
  expectKnownOptions,
  expectTimeout,
  type OptionNames,
} from '../../../server-runtime/errors/expect-options.ts';

interface Options {
  readonly port?: number | undefined;
  readonly host?: string | undefined;
}

const names: OptionNames<Options> = { port: true, host: true };

it('names the option that is misspelt, and the nearest one', () => {
  const options: object = { prot: 1 };
  expect(() => expectKnownOptions('listen', options as Options, names)).toThrow(
    'listen has no option `prot`. Did you mean `port`?',
  );
});

it('names the options that there are where none is near', () => {
  const options: object = { url: 1 };
  expect(() => expectKnownOptions('listen', options as Options, names)).toThrow(
    'listen has no option `url`. Known are port, host.',
  );
});

it('does not compile where an option of the interface is forgotten in the list, or one too many is in it', () => {
  const options: Options = { port: 1 };
  // @ts-expect-error -- `host` is an option
  expectKnownOptions('listen', options, { port: true });
  // @ts-expect-error -- `path` is none
  expectKnownOptions('listen', options, { port: true, host: true, path: true });
  // @ts-expect-error -- `host` is an option
  const forgotten: OptionNames<Options> = { port: true };
  expect(Object.keys(forgotten)).toEqual(['port']);
});

it('takes times that a timer can hold', () => {
  expect(expectTimeout(1, 'timeoutMs')).toBe(1);
  expect(expectTimeout(2_147_483_647, 'timeoutMs')).toBe(2_147_483_647);
  for (const time of [0, -1, Number.NaN, 2_147_483_648])
    expect(() => expectTimeout(time, 'timeoutMs')).toThrow(
      `timeoutMs: expected milliseconds from 1 to 2147483647, got ${time}.`,
    );
});
