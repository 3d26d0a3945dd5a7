import { Command, Option } from 'commander';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { capability } from '../../../server-runtime/capability/capability.ts';
import { completeWords } from '../../../source/completion/completion-command.ts';
import { toCapabilities } from '../../../source/manifest/manifest.ts';
import { toTestManifest } from '../../helpers/render-screen.tsx';

const node = (name: string) => new Command(name).summary(`about ${name}`);
const program = node('capix')
  .addCommand(node('call').option('--json').option('-H, --header <header>'))
  .addCommand(node('diff').addOption(new Option('--format <format>').choices(['junit', 'sarif'])))
  .addCommand(node('generate').alias('g').addCommand(node('capability')).addCommand(node('group')));
const input = z.object({
  name: z.string().describe('What it is called'),
  size: z.enum(['small', 'large']).optional(),
  tags: z.array(z.enum(['new', 'old'])).optional(),
  gift: z.boolean().optional(),
  address: z.object({ city: z.string() }).optional(),
});
const manifest = await toTestManifest({
  items: { createItem: capability(input, () => null), listItems: capability(() => []) },
});
const capabilities = toCapabilities(manifest);

const complete = (line: string) =>
  completeWords(line.split(' '), { program, capabilities, saved: ['items/get'] });
const words = (line: string) => complete(line).map(([word]) => word);

describe('the words that may stand next', () => {
  it('are commands, and those inside of them', () => {
    expect(words('')).toEqual(['call', 'diff', 'generate']);
    expect(words('ca')).toEqual(['call']);
    expect(words('g ')).toEqual(['capability', 'group']);
    expect(complete('diff')).toEqual([['diff', 'about diff']]);
  });

  it('are capabilities and saved calls, once', () => {
    expect(words('call ')).toEqual(['items.createItem', 'items.listItems', '@items/get']);
    expect(words('call @')).toEqual(['@items/get']);
    expect(words('call -H a:b items.l')).toEqual(['items.listItems']);
    expect(words('call items.listItems ')).toEqual([]);
    expect(words('diff ')).toEqual([]);
  });

  it('are the fields of the capability and the options of the command', () => {
    expect(words('call items.createItem --')).toEqual(
      '--name --size --tags --gift --address --address.city --json --header'.split(' '),
    );
    expect(complete('call items.createItem --na')).toEqual([
      ['--name', 'string, required, What it is called'],
    ]);
    expect(words('call items.createItem --name x --address.')).toEqual(['--address.city']);
    expect(words('call nothing --')).toEqual(['--json', '--header']);
  });

  it('are the values of an enum, of a list of them, and of an option', () => {
    expect(words('call items.createItem --size ')).toEqual(['small', 'large']);
    expect(words('call items.createItem --tags o')).toEqual(['old']);
    expect(words('call items.createItem --name ')).toEqual([]);
    expect(words('diff --format s')).toEqual(['sarif']);
  });
});
