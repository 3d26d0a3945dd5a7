import type { Line } from '../kit/line.ts';
import { signs, type Token } from '../kit/theme.ts';
import { toClock } from '../screens/shell-status.ts';
import type { FoundServer } from './find-server.ts';
import type { HomeRow } from './home-rows.ts';

/** The server of a project: what is wrong with it, its address, since when it runs. */
export function toServerRow(server: FoundServer): HomeRow {
  const row = { id: 'server', route: { screen: 'dev' } } as const;
  switch (server.kind) {
    case 'unknown':
      return { ...row, line: [] };
    case 'none':
      return { ...row, line: [{ text: 'not running; Enter starts it', token: 'muted' }], copied: 'capix dev' };
    case 'other': {
      const { host } = new URL(server.url);
      const line: Line = [
        { text: `${signs.warning} `, token: 'warning' },
        { text: `capix dev is not running, and ${host} is taken` },
      ];
      return { ...row, line };
    }
    case 'dev':
      return toDevRow(server);
  }
}

type DevServer = Extract<FoundServer, { readonly kind: 'dev' }>;

function toDevRow(server: DevServer): HomeRow {
  const { state, isHere } = server;
  const [url] = state.urls;
  const { sign, token, problem } = toHealth(server);
  const where = `${isHere ? 'in this window' : 'capix dev'} since ${toClock(state.startedAt)}`;
  return {
    id: 'server',
    line: [
      { text: `${sign} `, token },
      { text: url ?? '' },
      { text: `  ${problem === undefined ? where : `${problem}; ${where}`}`, token: 'muted' },
    ],
    ...(isHere || url === undefined ? { route: { screen: 'dev' } } : { url }),
    copied: url,
  };
}

interface Health {
  readonly sign: string;
  readonly token: Token;
  readonly problem?: string;
}

function toHealth({ state, answers }: DevServer): Health {
  switch (state.phase) {
    case 'down':
      return { sign: signs.cross, token: 'danger', problem: 'nothing answers: the code does not start' };
    case 'stale':
      return { sign: signs.warning, token: 'warning', problem: 'the newest version does not start' };
    case 'ready':
      return answers
        ? { sign: signs.live, token: 'success' }
        : { sign: signs.warning, token: 'warning', problem: 'does not answer' };
  }
}
