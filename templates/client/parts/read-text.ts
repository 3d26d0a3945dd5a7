const readText: Reader = (response) => response.text();
