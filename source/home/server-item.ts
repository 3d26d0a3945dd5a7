import type { Line } from '../kit/line/line.ts';
import type { Symbols, Token } from '../kit/theme/tokens.ts';
import { toClock } from '../screens/shell/shell-status.ts';
import type { FoundServer } from './find-server.ts';
import type { HomeItem } from './home-item.ts';

/** The server of a project as a line of the home screen. */
export function toServerItem(server: FoundServer, symbols: Symbols): HomeItem {
  switch (server.kind) {
    case 'unknown':
      return { id: 'server', line: [], route: { screen: 'dev' } };
    case 'none':
      return {
        id: 'server',
        line: [{ text: 'not running; Enter starts it', token: 'muted' }],
        route: { screen: 'dev' },
        copied: 'capix dev',
      };
    case 'other':
      return server.isOfProject ? toOwnItem(server, symbols) : toTakenItem(server, symbols);
    case 'dev':
      return toDevItem(server, symbols);
  }
}

/** A server of the project that is not `capix dev`: the address first, then the program, the process. */
function toOwnItem({ url, owner }: OtherServer, { live: sign }: Symbols): HomeItem {
  const health = { sign, token: 'success' } as const;
  const { name, withPid } = toOwner(owner);
  const [line, ...shorter] = [`${withPid}, started here`, withPid, name, ''].map((note) => toLine(health, url, note));
  const host = toLine(health, new URL(url).host, '');
  return { id: 'server', line: line ?? [], shorter: [...shorter, host], url, copied: url };
}

/** The port is taken: by whom matters more than that there is no server, which follows from it. */
function toTakenItem({ url, owner }: OtherServer, { warning: sign }: Symbols): HomeItem {
  const health = { sign, token: 'warning' } as const;
  const { name, withPid } = toOwner(owner);
  const { host } = new URL(url);
  return {
    id: 'server',
    line: toLine(health, 'not running', `${host} is taken by ${withPid}`),
    shorter: [`${host} is taken by ${withPid}`, `${host} is taken by ${name}`, `taken by ${name}`].map((text) =>
      toLine(health, text, ''),
    ),
    route: { screen: 'dev' },
  };
}

/** Whoever has a port, as a name and with the process. */
function toOwner(owner: OtherServer['owner']): { readonly name: string; readonly withPid: string } {
  if (owner === undefined) return { name: 'something', withPid: 'something' };
  const name = owner.program ?? 'a program';
  return { name, withPid: `${name}, pid ${owner.pid}` };
}

/** `capix dev`: what is wrong with it, its address, since when it runs, its process, in that order. */
function toDevItem(server: DevServer, symbols: Symbols): HomeItem {
  const { state, isHere } = server;
  const url = state.urls[0] ?? '';
  const from = `since ${toClock(state.startedAt)}`;
  const pid = `pid ${state.pid}`;
  const since = isHere ? [`in this window ${from}`, from] : [`capix dev ${from}, ${pid}`, `${from}, ${pid}`, from];
  const health = toHealth(server, symbols);
  const { note, brief } = health;
  const host = url === '' ? '' : new URL(url).host;
  const [line, ...shorter] =
    note === ''
      ? [...[...since, ''].map((text) => toLine(health, url, text)), toLine(health, host, '')]
      : [
          ...since.map((text) => toLine(health, url, `${note}; ${text}`)),
          toLine(health, url, note),
          toLine(health, host, note),
          toLine(health, host, brief),
          toLine(health, '', brief),
        ];
  return {
    id: 'server',
    line: line ?? [],
    shorter,
    ...(isHere || url === '' ? { route: { screen: 'dev' } } : { url }),
    copied: url === '' ? undefined : url,
  };
}

type DevServer = Extract<FoundServer, { readonly kind: 'dev' }>;
type OtherServer = Extract<FoundServer, { readonly kind: 'other' }>;

/** A sign, a text and a note in the background, either of which may be empty. */
function toLine({ sign, token }: Pick<Health, 'sign' | 'token'>, text: string, note: string): Line {
  const gap = text === '' || note === '' ? '' : '  ';
  return [{ text: `${sign} `, token }, { text }, { text: gap + note, token: 'muted' }];
}

interface Health {
  readonly sign: string;
  readonly token: Token;
  /** Nothing where all is well. */
  readonly note: string;
  /** The note in at most 17 columns. */
  readonly brief: string;
}

function toHealth({ state, answers }: DevServer, symbols: Symbols): Health {
  switch (state.phase) {
    case 'down':
      return {
        sign: symbols.cross,
        token: 'danger',
        note: 'nothing answers: the code does not start',
        brief: 'does not start',
      };
    case 'stale':
      return {
        sign: symbols.warning,
        token: 'warning',
        note: 'the newest version does not start',
        brief: 'newest is broken',
      };
    case 'ready':
      return answers
        ? { sign: symbols.live, token: 'success', note: '', brief: '' }
        : { sign: symbols.warning, token: 'warning', note: 'does not answer', brief: 'does not answer' };
  }
}
