export const root: string;
export function writeProject(kind: 'schemas' | 'capix' | 'capix + client', count: number): string;
