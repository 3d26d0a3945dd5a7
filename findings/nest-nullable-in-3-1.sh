#!/usr/bin/env bash
# NestJS: a document of OpenAPI 3.1 says `nullable`, which 3.1 does not know, and a list of numbers is one of texts
#
# @nestjs/swagger 11.4.7 with `setOpenAPIVersion('3.1.0')`. `@ApiProperty({ nullable: true })` stays
# `nullable: true`, a word of 3.0 without a meaning in 3.1, so readers refuse the null that the API
# sends. `@ApiProperty() sizes: number[]` is described as a list of strings, since only `Array` is
# left of the type at run time.
#
# Needs Node 20.19 or newer and npm. It installs pinned packages into a temporary folder, runs them, and fails where they behave otherwise.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"type":"module","private":true}' > package.json
npm install --silent --no-audit --no-fund --no-save @nestjs/common@11.2.10 @nestjs/core@11.2.10 @nestjs/platform-express@11.2.10 @nestjs/swagger@11.4.7 reflect-metadata@0.2.2 rxjs@7.8.2 typescript@5.9.3 @types/node@20.19.43 ajv@8.20.0

cat > run.ts <<'TS'
import 'reflect-metadata';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ApiOkResponse, ApiProperty, DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { Ajv2020 } from 'ajv/dist/2020.js';

class Item {
  @ApiProperty({ type: String, nullable: true }) name!: string | null;
  @ApiProperty() sizes!: number[];
}
@Controller('items')
class Items {
  @Get() @ApiOkResponse({ type: Item }) get(): Item {
    return { name: null, sizes: [1] };
  }
}
@Module({ controllers: [Items] })
class Application {}

const application = await NestFactory.create(Application, { logger: false });
const options = new DocumentBuilder().setOpenAPIVersion('3.1.0').build();
const document = SwaggerModule.createDocument(application, options);
const schema = document.components!.schemas!['Item'] as { properties: object };
console.log(document.openapi, JSON.stringify(schema.properties));
const ajv = new Ajv2020({ strict: false, allErrors: true });
ajv.validate(schema, { name: null, sizes: [1] });
console.log(ajv.errorsText());
process.exit();
TS
npx tsc run.ts --target es2022 --module nodenext --experimentalDecorators --emitDecoratorMetadata --skipLibCheck
node run.js > actual.txt
cat > expected.txt <<'TXT'
3.1.0 {"name":{"type":"string","nullable":true},"sizes":{"type":"array","items":{"type":"string"}}}
data/sizes/0 must be string
TXT
diff -u expected.txt actual.txt && echo "as stated"
