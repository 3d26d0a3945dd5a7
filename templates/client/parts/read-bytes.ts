const readBytes: Reader = (response) => response.blob();
