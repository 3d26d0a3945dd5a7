import { answerMistakes } from './answer-mistakes.ts';
import { contextMistakes } from './context-mistakes.ts';
import { declarationMistakes } from './declaration-mistakes.ts';
import { enhancerMistakes } from './enhancer-mistakes.ts';
import { errorMistakes } from './error-mistakes.ts';
import { middlewareMistakes } from './middleware-mistakes.ts';
import { pluginMistakes } from './plugin-mistakes.ts';
import { queueMistakes } from './queue-mistakes.ts';
import { serverMistakes } from './server-mistakes.ts';
import { transportMistakes } from './transport-mistakes.ts';
import type { TypeMistake } from './type-mistake.ts';

export const mistakes: readonly TypeMistake[] = [
  ...answerMistakes,
  ...declarationMistakes,
  ...contextMistakes,
  ...enhancerMistakes,
  ...middlewareMistakes,
  ...errorMistakes,
  ...serverMistakes,
  ...pluginMistakes,
  ...transportMistakes,
  ...queueMistakes,
];
