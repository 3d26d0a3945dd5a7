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
    case 'other': {
      const { url, owner, isOfProject } = server;
      const who = owner === undefined ? 'something' : `${owner.program ?? 'a program'}, pid ${owner.pid}`;
      return isOfProject
        ? {
            id: 'server',
            line: toLine({ sign: symbols.live, token: 'success' }, url, `${who}, started here`),
            url,
            copied: url,
          }
        : {
            id: 'server',
            line: toLine(
              { sign: symbols.warning, token: 'warning' },
              'not running',
              `${new URL(url).host} is taken by ${who}`,
            ),
            route: { screen: 'dev' },
          };
    }
    case 'dev': {
      const { state, isHere } = server;
      const url = state.urls[0] ?? '';
      const from = `since ${toClock(state.startedAt)}`;
      const since = isHere ? `in this window ${from}` : `capix dev ${from}, pid ${state.pid}`;
      const health = toHealth(server, symbols);
      return {
        id: 'server',
        line: toLine(health, url, health.note === '' ? since : `${health.note}; ${since}`),
        ...(isHere || url === '' ? { route: { screen: 'dev' } } : { url }),
        copied: url === '' ? undefined : url,
      };
    }
  }
}

function toLine({ sign, token }: Pick<Health, 'sign' | 'token'>, text: string, note: string): Line {
  return [{ text: `${sign} `, token }, { text }, { text: `  ${note}`, token: 'muted' }];
}

interface Health {
  readonly sign: string;
  readonly token: Token;
  /** Nothing where all is well. */
  readonly note: string;
}

function toHealth({ state, answers }: Extract<FoundServer, { readonly kind: 'dev' }>, symbols: Symbols): Health {
  switch (state.phase) {
    case 'down':
      return { sign: symbols.cross, token: 'danger', note: 'nothing answers: the code does not start' };
    case 'stale':
      return { sign: symbols.warning, token: 'warning', note: 'the newest version does not start' };
    case 'ready':
      return answers
        ? { sign: symbols.live, token: 'success', note: '' }
        : { sign: symbols.warning, token: 'warning', note: 'does not answer' };
  }
}
