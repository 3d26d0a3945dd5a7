import { expect, it } from 'vitest';
import { signs } from '../../../source/kit/theme.ts';
import { toAscii } from '../../../source/terminal/screen-output.ts';

it('has a sign of ASCII, as wide, for each sign of the screens, and leaves other text', () => {
  const all = Object.values(signs).flat();
  for (const sign of [...all, '…']) expect(toAscii(sign)).toMatch(/^[\u0020-\u007E]$/);
  expect(toAscii('❯ Zoë …')).toBe('> Zoë ~');
});
