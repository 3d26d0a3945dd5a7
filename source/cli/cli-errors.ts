export const exitCodes = {
  done: 0,
  /** Problems that a command found give it, too. */
  failed: 1,
  usage: 2,
  interrupted: 130,
} as const;

export interface CatalogueEntry {
  /** When it happens, where the message says nothing of it before it is filled in: for `docs/cli-errors.md`. */
  readonly when?: string;
  /** The message that the user reads. `{name}` stands for what is only known where it happens. */
  readonly message: string;
  /** The next step, where the place that it happens at does not know better. */
  readonly hint?: string;
  /** @default 1 */
  readonly exitCode?: number;
}

/** Every error by which a command of the tool ends. The codes are permanent: scripts compare them. */
export const cliErrors = {
  Usage: {
    when: 'A command, an option or an argument is unknown, is missing, or has an invalid value.',
    message: '{problem}',
    exitCode: exitCodes.usage,
  },
  UnknownCapability: {
    message: 'No capability `{key}`{detail}.',
    hint: '`capix list` shows them all.',
    exitCode: exitCodes.usage,
  },
  UnknownSavedCall: {
    message: 'No saved call `@{name}`.',
    hint: 'They are the JSON files in the folder `calls` of the project.',
    exitCode: exitCodes.usage,
  },
  InvalidSavedCall: {
    when: 'The file of a saved call is not JSON, or has entries that are not allowed.',
    message: '{file}{place}: {reason}.',
    hint: 'The page docs/saved-calls.md describes it.',
  },
  NoAnswer: {
    message: 'No answer from {url}: {reason}.',
    hint: 'Start the server with `capix dev`, or name another one with --url.',
  },
  NoProject: {
    message: 'No capabilities file at {path}.',
    hint: 'Run the command in the folder of the project, pass --config <path> or run `capix new`.',
  },
  InvalidSettings: {
    when: 'The settings (`capix.config.ts`, `capix.json`) cannot be read, or one is unknown or wrong.',
    message: '{file}{place}: {reason}.',
    hint: 'The page docs/config.md lists the settings.',
  },
  StaleLock: {
    when: '`capix lock --check` finds that the lock file is not what the capabilities are now.',
    message: '{file} is {state}.',
    hint: 'Run `capix lock`, and commit the file.',
  },
  UnknownSide: {
    message: '{side} is neither a file, a URL nor a git ref.',
    hint: 'Name a capabilities file, a document, a lock file, a URL, or a branch, tag or commit.',
  },
  InvalidDocument: {
    when: 'A side is neither capabilities, an OpenAPI 3 document nor a lock file.',
    message: '{side} {reason}.',
    hint: 'Name a file with capabilities, a document or a lock file.',
  },
  NoDocument: {
    message: 'No OpenAPI document at {url}: {reason}.',
    hint: 'Name the URL of a document, or of a server that serves it: restTransport({ docs: true }).',
  },
  NoLock: {
    when: 'With --no-run, a side that is code has no lock file.',
    message: '{side} has no {file}, and --no-run runs no code.',
    hint: 'Run `capix lock` there, and commit the file.',
  },
  RefFailed: {
    when: 'The code of a git ref cannot be loaded with the packages that are installed.',
    message: 'At {ref}: {reason}',
    hint: 'The code of a ref is loaded with the present packages.',
  },
  NoEnvFile: {
    message: 'The env file {path} cannot be read.',
    hint: 'Give the path of a file with lines such as NAME=value.',
  },
  MissingPackage: {
    message: 'Packages are missing, {purpose}. `npm install --save-dev {name}` installs them.',
  },
  BuildFailed: {
    when: 'The code has a syntax error, or imports a file or package that is not there.',
    message: '{place}{reason}',
  },
  ImportFailed: {
    when: 'The code threw while it was imported, did not come to an end, or imports what a package does not export.',
    message: '{place}{reason}',
  },
  InvalidConfig: {
    when: 'The exports of the capabilities file are not groups of capabilities, or its `restOptions` are wrong.',
    message: '{file}: {reason}',
  },
  InvalidRoutes: {
    when: 'A document cannot be made, since routes or names of the project contradict each other.',
    message: '{reason}',
    hint: '`capix check` lists every problem of the routes.',
  },
  InvalidFields: {
    when: 'The schema of GraphQL cannot be made: two capabilities are one field, for example.',
    message: '{reason}',
  },
  InvalidEdit: {
    message: '`restOptions.docs.edit` failed: {reason}.',
    hint: 'It gets the OpenAPI document and gives the one to publish.',
  },
  InvalidTools: {
    when: 'The capabilities cannot be tools: two have one name, or a name is not allowed.',
    message: '{reason}',
  },
  ProjectEnded: {
    message: "The project's code {reason} while it was {phase}.",
    hint: 'Move such code out of the files that declare capabilities.',
  },
  NoEntry: {
    message: 'Could not find {path} to start.',
    hint: 'Name the file that starts the server.',
  },
  NoServer: {
    message: '{file} ended {how} before a server had started.',
    hint: 'It should call `createServer({...}).start()`, or listen on a port by itself.',
  },
  Crashed: {
    when: 'The server of `capix dev` threw an error that nothing caught.',
    message: '{place}{reason}',
  },
  ServerEnded: {
    message: 'The server ended{how}.',
  },
  PortTaken: {
    message: 'Port {port} is taken{owner}.',
    hint: 'Pass another --port <port>.',
  },
  NoAccess: {
    message: 'No access to {path}: {reason}.',
    hint: 'Fix that, or choose another place.',
  },
  ReadFailed: {
    message: 'Could not read {path}: {reason}. Nothing was written.',
    hint: 'Fix that, then run the command again.',
  },
  WriteFailed: {
    message: 'Could not write {path}: {reason}.{rest}',
    hint: 'Fix that, then run the command again.',
  },
  LeadsOutside: {
    message: '{path} is a link that leads {where}. Nothing was written.',
    hint: 'Make it a folder or file of its own, or run the command where it leads to.',
  },
  FileExists: {
    message: '{path} exists already{detail}. Nothing was written.',
    hint: 'Choose another name, or pass --force to replace it.',
  },
  FolderNotEmpty: {
    message: 'The folder {path} is not empty: it holds {names}. Nothing was written.',
    hint: 'Choose another name; --force replaces files of the same name.',
  },
  NameTaken: {
    message: "{file} exports '{name}' already. Nothing was written.",
    hint: 'Choose another name, or remove that export first.',
  },
  UnreadableModule: {
    message: '{place} cannot be read: {reason}. Nothing was written.',
    hint: 'Fix it, then run the command again.',
  },
  InstallFailed: {
    message: 'The project was created in {folder}, but {packageManager} could not install it.',
  },
  Unexpected: {
    when: 'Anything else: most likely a fault of capix.',
    message: '{problem}',
    hint: 'Set CAPIX_DEBUG=1 to see where it came from.',
  },
} as const satisfies Readonly<Record<string, CatalogueEntry>>;

export type CliErrorCode = keyof typeof cliErrors;
