/** Every screen of the tool, as it opens in the fixture `bookshop` with a copy of its sources in `old/`. */
export interface EveryScreen {
  readonly name: string;
  readonly words: readonly string[];
  /** What its header says after the project. */
  readonly title: string;
  /** What it shows when it is there. */
  readonly shown: string;
  /** The key by which it is left. */
  readonly leaveKey: string;
}

/** Whether letters are text on the screen: it is left by Esc. */
export function isForm({ leaveKey }: EveryScreen): boolean {
  return leaveKey === '\u001B';
}

export const everyScreen: readonly EveryScreen[] = [
  { name: 'home', words: [], title: 'home', shown: '9 in 2 groups', leaveKey: 'q' },
  { name: 'list', words: ['list'], title: 'list', shown: '/books/:id', leaveKey: 'q' },
  {
    name: 'show',
    words: ['show', 'books.getBook'],
    title: 'show ▸ books.getBook',
    shown: 'Route',
    leaveKey: 'q',
  },
  { name: 'check', words: ['check'], title: 'check', shown: 'No problems', leaveKey: 'q' },
  {
    name: 'call',
    words: ['call', 'books.createBook'],
    title: 'call ▸ books.createBook',
    shown: 'title*',
    leaveKey: '\u001B',
  },
  {
    name: 'generate',
    words: ['generate', 'capability'],
    title: 'generate',
    shown: 'kind*',
    leaveKey: '\u001B',
  },
  {
    name: 'openapi',
    words: ['openapi'],
    title: 'openapi',
    shown: 'openapi: "3.1.0"',
    leaveKey: 'q',
  },
  {
    name: 'diff',
    words: ['diff', 'old/src/capabilities.ts', 'src/capabilities.ts'],
    title: 'diff',
    shown: 'No differences',
    leaveKey: 'q',
  },
  { name: 'dev', words: ['dev'], title: 'dev', shown: 'Started in', leaveKey: 'q' },
  { name: 'new', words: ['new'], title: 'new', shown: 'What is it called?', leaveKey: '\u001B' },
];
