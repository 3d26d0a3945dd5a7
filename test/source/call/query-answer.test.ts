import { describe, expect, it } from 'vitest';
import { queryAnswer, toJsonPath } from '../../../source/call/use-answer.ts';

const body = {
  data: [
    { name: 'Pen', price: 2 },
    { name: 'Ink', price: 12 },
  ],
};

describe('a query of an answer', () => {
  it('is JSONPath', () => {
    expect(queryAnswer(body, '$.data[?@.price > 10].name')).toEqual({
      value: 'Ink',
      summary: '1 found',
    });
    expect(queryAnswer(body, '$..price')).toEqual({ value: [2, 12], summary: '2 found' });
  });

  it('may begin as in jq', () => {
    expect(queryAnswer(body, '.data[].name')).toEqual({
      value: ['Pen', 'Ink'],
      summary: '2 found',
    });
    expect(queryAnswer(body, 'data[0].name')).toEqual({ value: 'Pen', summary: '1 found' });
    expect(queryAnswer(body, '.')).toEqual({ value: body, summary: '1 found' });
    expect(['.[0]', '[]', 'a.b', '$.c', ''].map(toJsonPath)).toEqual([
      '$[0]',
      '$[*]',
      '$.a.b',
      '$.c',
      '$',
    ]);
  });

  it('says what is wrong with it', () => {
    expect(queryAnswer(body, '$.data[?')).toEqual({ value: body, summary: 'not complete yet' });
    expect(queryAnswer(body, '.da ta')).toEqual({
      value: body,
      summary: 'cannot be read from ta on',
    });
  });
});
