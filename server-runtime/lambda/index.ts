// The public surface of `capix/lambda`.

export type { LambdaEvent, LambdaEventV1, LambdaEventV2, LambdaLists, LambdaTexts } from './lambda-event.ts';
export type { LambdaResult } from './read-lambda-result.ts';
export { type LambdaHandler, toLambdaHandler } from './to-lambda-handler.ts';
export { toLambdaStreamHandler } from './to-lambda-stream-handler.ts';
