/** The hosts of agents whose configuration is known. */
export type AgentHost = 'claude' | 'cursor' | 'vscode' | 'codex';

/** A server that a host starts, and speaks with over its stdin and stdout. */
export interface HostedServer {
  /** Letters, digits, `_` and `-`. */
  readonly name: string;
  /** Absolute paths alone: hosts start servers in whichever folder. */
  readonly command: string;
  readonly args: readonly string[];
}

/** The configuration of a host for one server, with a line feed at its end: TOML for Codex, JSON for the others. */
export function toHostConfig(host: AgentHost, { name, command, args }: HostedServer): string {
  switch (host) {
    case 'claude':
    case 'cursor':
      return toJson({ mcpServers: { [name]: { command, args } } });
    case 'vscode':
      return toJson({ servers: { [name]: { type: 'stdio', command, args } } });
    case 'codex':
      return `[mcp_servers.${name}]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`;
  }
}

/** A name that every host takes: `@acme/shop` is `acme-shop`. */
export function toServerName(name: string): string {
  const plain = name.replaceAll(/[^\w-]+/g, '-').replaceAll(/^-+|-+$/g, '');
  return plain === '' ? 'capix' : plain;
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
