import { createVerify } from 'node:crypto';
import * as z from 'zod';
import { capability, defaultErrors } from '../../../server-runtime/index.ts';

const Message = z.object({
  Type: z.enum(['Notification', 'SubscriptionConfirmation', 'UnsubscribeConfirmation']),
  MessageId: z.string(),
  TopicArn: z.string(),
  Subject: z.string().optional(),
  Message: z.string(),
  Timestamp: z.string(),
  Token: z.string().optional(),
  SubscribeURL: z.string().optional(),
  SignatureVersion: z.enum(['1', '2']),
  Signature: z.string(),
  SigningCertURL: z.url({
    protocol: /^https$/,
    hostname: /^sns\.[a-z0-9-]+\.amazonaws\.com(\.cn)?$/,
  }),
});
type Message = z.output<typeof Message>;

const signed = [
  'Message',
  'MessageId',
  'Subject',
  'SubscribeURL',
  'Timestamp',
  'Token',
  'TopicArn',
  'Type',
] as const;

/** SNS sends JSON that calls itself `text/plain`. `load` gets the text behind a URL: a certificate, a confirmation. */
export function createSnsHook(topic: string, load: (url: string) => Promise<string>) {
  const isSigned = async (message: Message): Promise<boolean> => {
    const verify = createVerify(message.SignatureVersion === '1' ? 'RSA-SHA1' : 'RSA-SHA256');
    for (const name of signed)
      if (message[name] !== undefined) verify.update(`${name}\n${message[name]}\n`);
    return verify.verify(await load(message.SigningCertURL), message.Signature, 'base64');
  };
  return capability(z.object({ message: Message }), async ({ message }) => {
    if (message.TopicArn !== topic || !(await isSigned(message)))
      throw defaultErrors.Forbidden('The signature does not fit.');
    if (message.Type === 'SubscriptionConfirmation') await load(message.SubscribeURL ?? '');
    return message.Type === 'Notification'
      ? { id: message.MessageId, text: message.Message }
      : null;
  }).takes({ body: { field: 'message', types: ['text/plain', 'application/json'] } });
}
