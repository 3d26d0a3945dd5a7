export const root: string;
export function writeProject(
  kind: 'schemas' | 'capix' | 'capix, handler last' | 'capix + client',
  count: number,
): string;
