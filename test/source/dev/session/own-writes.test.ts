import { describe, expect, it } from 'vitest';
import { openSession, type Session } from './open-session.ts';

describe('a server that writes what it is made of', () => {
  /** A start whose code is another each time, because it writes one of its files. */
  function echo(session: Session, code: string): void {
    session.build(code);
    session.change('src/b.ts');
    session.end();
  }

  it('with the same content is started once', () => {
    const session = openSession();
    session.change('src/a.ts');
    session.build('two');
    session.change('src/b.ts');
    session.end();
    session.build('two');
    expect(session.phase()).toBe('idle');
  });

  /** Starts it until it is known that it writes one of its files. */
  function echoToTheEnd(session: Session): void {
    for (let code = 1; session.phase() !== 'idle'; code++) {
      session.waitToTheEnd();
      echo(session, String(code));
    }
  }

  it('with other content is started six more times, three of them after a pause, and never again for that', () => {
    const session = openSession();
    session.change('src/a.ts');
    for (const code of ['1', '2', '3', '4']) echo(session, code);
    expect(session.phase()).toBe('calming');
    expect(session.last('wait')).toEqual({ kind: 'wait', wait: 1, ms: 1_000 });
    echoToTheEnd(session);
    expect(session.last('tell-own-writes')).toEqual({ kind: 'tell-own-writes', files: ['/p/src/b.ts'] });
    expect(session.starts()).toBe(8);
    session.change('src/a.ts');
    echo(session, 'more');
    expect(session.phase()).toBe('idle');
    expect(session.starts()).toBe(9);
  });

  it('is started for a save that comes later, also of that file', () => {
    const session = openSession();
    session.change('src/a.ts');
    echoToTheEnd(session);
    session.change('src/b.ts');
    expect(session.building()).toEqual(['src/b.ts']);
  });

  it('is started for each of many saves that come while its predecessor ends', () => {
    const session = openSession();
    session.change('src/a.ts');
    for (let save = 2; save <= 20; save++) {
      session.build(String(save));
      session.end();
      const from = session.now();
      session.take({ kind: 'process-ending', at: from });
      session.change('src/a.ts');
      session.take({ kind: 'process-ended', from, at: session.now() });
      expect(session.building()).toEqual(['src/a.ts']);
    }
  });

  it('is started for a save that happens to come while it ends', () => {
    const session = openSession();
    session.change('src/a.ts');
    echoToTheEnd(session);
    session.take({ kind: 'process-ending', at: session.now() });
    session.change('src/a.ts');
    expect(session.building()).toEqual(['src/a.ts']);
  });

  it('is started no more often than it has files, where it writes another one each time', () => {
    const session = openSession();
    session.change('src/a.ts');
    for (let start = 1; start <= 20 && session.phase() !== 'idle'; start++) {
      session.waitToTheEnd();
      session.build(String(start));
      session.change(start % 2 === 0 ? 'src/a.ts' : 'src/b.ts');
      session.end();
    }
    expect(session.phase()).toBe('idle');
    expect(session.starts()).toBeLessThan(12);
  });

  it('is started for the last of many saves, though each of them came while it started', () => {
    const session = openSession();
    session.change('src/a.ts');
    for (let save = 1; save <= 1_000; save++) {
      if (session.phase() === 'calming') session.change('src/b.ts');
      session.build(String(save));
      session.change('src/b.ts');
      session.end();
    }
    session.waitToTheEnd();
    expect(session.building()).toEqual(['src/b.ts']);
    expect(session.last('tell-own-writes')).toBeUndefined();
  });

  it('waits for its own pause only, where another one was broken off', () => {
    const session = openSession();
    session.change('src/a.ts');
    for (const code of ['1', '2', '3', '4']) echo(session, code);
    session.change('src/a.ts');
    for (const code of ['5', '6', '7', '8']) echo(session, code);
    session.take({ kind: 'waited', wait: 1, at: session.now() });
    expect(session.phase()).toBe('calming');
    session.waitToTheEnd();
    expect(session.phase()).toBe('building');
  });

  it('is started at once for a save that comes in the pause', () => {
    const session = openSession();
    session.change('src/a.ts');
    for (const code of ['1', '2', '3', '4']) echo(session, code);
    session.change('src/a.ts');
    expect(session.building()).toEqual(['src/b.ts', 'src/a.ts']);
  });

  it('when it ends is started six more times, and never again for that', () => {
    const session = openSession();
    session.change('src/a.ts');
    for (const code of ['1', '2', '3', '4', '5', '6', '7', '8', '9']) {
      session.waitToTheEnd();
      if (session.phase() !== 'building') break;
      session.build(code);
      session.end({ files: ['src/a.ts', 'src/seed.json'] });
      const from = session.now();
      session.take({ kind: 'process-ending', at: from });
      session.change('src/seed.json');
      session.take({ kind: 'process-ended', from, at: session.now() });
    }
    expect(session.starts()).toBe(8);
    expect(session.last('tell-own-writes')).toBeDefined();
  });
});
