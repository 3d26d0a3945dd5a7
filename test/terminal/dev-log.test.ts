import { describe, expect, it } from 'vitest';
import { openDevScreen, openTab } from '../helpers/open-dev-screen.ts';

describe('the log on the dev screen', () => {
  const logging = (lines: string) => `${lines}\nexport const text = () => 'one';`;

  it('tells stdout and stderr apart, makes JSON readable, and lets no escape sequence through', async () => {
    const { terminal } = await openDevScreen({
      files: {
        'src/text.ts': logging(`
        console.log('plain \\u001b]0;evil\\u0007line');
        console.error('on stderr');
        console.log(JSON.stringify({ level: 40, time: 1, pid: 2, hostname: 'h', msg: 'pool is full', size: 7 }));`),
      },
    });
    await openTab(terminal, '3', 'logs 3');
    const screen = await terminal.waitFor('pool is full');
    expect(screen).toMatch(/ plain line/);
    expect(screen).toMatch(/! on stderr/);
    expect(screen).toMatch(/warn pool is full {2}size=7/);
    expect(terminal.output()).not.toContain('evil');
  });

  it('opens a line, with all of its fields and its stack, and holds the others meanwhile', async () => {
    const { terminal, url } = await openDevScreen({
      files: {
        'src/text.ts': `
          const err = { type: 'Error', message: 'refused', stack: 'Error: refused\\n    at connect (src/pool.ts:3:9)' };
          console.log(JSON.stringify({ level: 50, msg: 'no pool', hosts: ['db-1', 'db-2'], err }));
          console.log('the next line');
          export const text = () => { for (let i = 0; i < 100; i++) console.log('more ' + i); return 'one'; };`,
      },
    });
    await openTab(terminal, '3', 'logs 2');
    terminal.type('k');
    await terminal.waitFor('held, 0 newer');
    await fetch(`${url}/texts`);
    await terminal.waitFor('logs 102');
    expect(terminal.screen()).toMatch(/❯ .* error no pool/);
    terminal.type('\r');
    const opened = await terminal.waitFor('at connect (src/pool.ts:3:9)');
    expect(opened).toMatch(/stdout {2}error\n\n no pool\n Error: refused\n/);
    expect(opened).toMatch(/"hosts": \[\n +"db-1",/);
    terminal.type('\u001B');
    await terminal.waitFor('held, 100 newer');
  });

  it('filters by words and by the level, holds, and clears', async () => {
    const { terminal } = await openDevScreen({
      files: {
        'src/text.ts': logging(
          `for (let i = 0; i < 100; i++) console.log('line ' + i); console.error('the end');`,
        ),
      },
    });
    await openTab(terminal, '3', 'logs 101');
    terminal.type('/line 7\r');
    await terminal.waitFor('19 of 101');
    terminal.type('\u001B');
    await terminal.waitFor((screen) => !screen.includes('19 of 101'));
    terminal.type('/error\r');
    await terminal.waitFor((screen) => screen.includes('1 of 101') && screen.includes('the end'));
    expect(terminal.screen()).not.toContain('line 99');
    terminal.type('\u001B');
    await terminal.waitFor('line 99');
    terminal.type(' ');
    await terminal.waitFor('held, 0 newer');
    terminal.type(' ');
    await terminal.waitFor(/follows/);
    terminal.type('x');
    await terminal.waitFor('[3 logs 0]');
  });

  it('answers keys in the middle of 100,000 lines, and says how many it has dropped', async () => {
    const { terminal, url } = await openDevScreen({
      files: {
        'src/text.ts': `export const text = () => {
        let left = 100;
        const timer = setInterval(() => {
          for (let i = 0; i < 1000; i++) console.log('a line of the flood, not too short ' + i);
          if (--left === 0) clearInterval(timer);
        }, 50);
        return 'one';
      };`,
      },
    });
    await openTab(terminal, '3', 'logs');
    await fetch(`${url}/texts`);
    await terminal.waitFor(/older lines dropped/);
    terminal.type('1');
    const answered = await terminal.waitFor('[1 routes');
    expect(Number(/logs (\d+)/.exec(answered)?.[1])).toBeLessThan(100_000);
    await terminal.waitFor('logs 100000');
    await openTab(terminal, '3', 'logs 100000');
    await terminal.waitFor('90000 older lines dropped');
  });
});
