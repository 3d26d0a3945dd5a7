import { describe, expect, it } from 'vitest';
import { queryAnswer, toJsonPath } from '../../../../source/call/use-answer.ts';

const body = {
  data: [
    { name: 'Pen', price: 2 },
    { name: 'Ink', price: 12 },
  ],
};

describe('a query of an answer', () => {
  it('is JSONPath', () => {
    expect(queryAnswer(body, '$.data[?@.price > 10].name')).toEqual({ found: ['Ink'] });
    expect(queryAnswer(body, '$..price')).toEqual({ found: [2, 12] });
  });

  it('may begin as in jq', () => {
    expect(queryAnswer(body, '.data[].name')).toEqual({ found: ['Pen', 'Ink'] });
    expect(queryAnswer(body, 'data[0].name')).toEqual({ found: ['Pen'] });
    expect(queryAnswer(body, '.')).toEqual({ found: [body] });
    expect(['.[0]', '[]', 'a.b', '$.c', ''].map(toJsonPath)).toEqual(['$[0]', '$[*]', '$.a.b', '$.c', '$']);
  });

  it('says what is wrong with it', () => {
    expect(queryAnswer(body, '$.data[?')).toEqual({ problem: 'not complete yet' });
    expect(queryAnswer(body, '.da ta')).toEqual({ problem: 'cannot be read from ta on' });
  });
});
