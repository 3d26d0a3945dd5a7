import { createContext, useContext } from 'react';
import type { Terminal } from '../terminal/terminal.ts';

export interface Ui {
  readonly terminal: Terminal;
}

export const UiContext = createContext<Ui | undefined>(undefined);

export function useUi(): Ui {
  const ui = useContext(UiContext);
  if (ui === undefined) throw new Error('A view is drawn outside of UiRoot.');
  return ui;
}

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

export const BodySizeContext = createContext<Size>({ columns: 80, rows: 21 });

export function useBodySize(): Size {
  return useContext(BodySizeContext);
}
