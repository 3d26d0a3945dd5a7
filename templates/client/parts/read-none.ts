const readNone: Reader = () => null;
