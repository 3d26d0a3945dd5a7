import { constants } from 'node:os';

/** The reason why a port cannot be opened, with the fields of the system's error. */
export interface PortError {
  readonly message: string;
  readonly code: string | undefined;
  readonly errno: number | undefined;
  readonly syscall: string | undefined;
  readonly address: string | undefined;
  readonly port: number;
}

/** The error of the system as it travels; `asked` is the port that it may not name. */
export function toPortError(error: NodeJS.ErrnoException, asked: { readonly port: number }): PortError {
  const { code, message, errno, syscall } = error;
  const { address, port = asked.port } = error as Partial<PortError>;
  return { message, code, errno, syscall, address, port };
}

/** The error of the system for an address that is open already. */
export function toTakenError({
  host = '::',
  port,
}: {
  readonly host?: string | undefined;
  readonly port: number;
}): PortError {
  const code = 'EADDRINUSE';
  const message = `listen ${code}: address already in use ${host}:${port}`;
  return { message, code, errno: -constants.errno[code], syscall: 'listen', address: host, port };
}

/** As a server gets it that opens the port by itself. */
export function toSystemError({ message, ...fields }: PortError): Error {
  return Object.assign(new Error(message), fields);
}
