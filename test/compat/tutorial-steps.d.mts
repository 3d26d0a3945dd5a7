export type Step = { readonly line: number } & (
  | { readonly kind: 'file'; readonly path: string; readonly text: string }
  | Edit
  | {
      readonly kind: 'commands';
      readonly commands: readonly { readonly command: string; readonly output?: string }[];
    }
);

export interface Edit {
  readonly kind: 'edit';
  readonly path: string;
  readonly hunks: readonly { readonly before: string; readonly after: string }[];
  readonly line: number;
}

export function readSteps(page: string): readonly Step[];
export function applyEdit(text: string, edit: Edit): string;
export function writeFiles(steps: readonly Step[]): ReadonlyMap<string, string>;
export function isShown(shown: string, printed: string): boolean;
