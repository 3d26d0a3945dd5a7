import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { createCliError, toCliErrorText } from '../../../source/cli/cli-error.ts';
import { cliErrors } from '../../../source/cli/cli-errors.ts';
import { packageRoot } from '../../helpers/run-capix.ts';

const codes = Object.keys(cliErrors);

describe('the catalogue', () => {
  it.each(codes)('%s is made somewhere', (code) => {
    const made = code === 'Usage' ? 'usageError(' : `'${code}'`;
    const files = execFileSync('grep', ['-rlF', made, 'source'], {
      cwd: packageRoot,
      encoding: 'utf8',
    });
    expect(
      files.split('\n').filter((file) => file !== '' && !file.endsWith('/cli-errors.ts')),
    ).not.toEqual([]);
  });

  it.each(Object.entries(cliErrors))(
    '%s says when it happens, and what is known of it, in whole sentences',
    (_, entry) => {
      if ('when' in entry) expect(entry.when).toMatch(/^[A-Z`].*\.$/);
      else expect(entry.message).toMatch(/[a-z]{3}/);
      expect(entry.message).toMatch(/[.}]$/);
      if ('hint' in entry) expect(entry.hint).toMatch(/^[A-Z`]/);
    },
  );
});

describe('an error of the catalogue', () => {
  it('has its message filled in, free of escape sequences', () => {
    const { message } = toCliErrorText('NoAccess', {
      path: '/tmp/\u001B[31mred',
      reason: 'permission is denied',
    });
    expect(message).toBe('No access to /tmp/red: permission is denied.');
  });

  it('fills in a text that looks like a name in braces as it is', () => {
    expect(toCliErrorText('NameTaken', { file: '{name}', name: '$&' }).message).toContain(
      "{name} exports '$&' already",
    );
  });

  it('has the hint and the exit code of the catalogue, unless its place knows better', () => {
    expect(createCliError('NoEntry', { path: 'a.ts' })).toMatchObject({
      hint: 'Name the file that starts the server.',
      exitCode: 1,
    });
    expect(
      createCliError('UnknownCapability', { key: 'a', detail: '' }, { hint: 'Try b.' }),
    ).toMatchObject({
      code: 'UnknownCapability',
      message: 'No capability `a`.',
      hint: 'Try b.',
      exitCode: 2,
    });
  });
});
