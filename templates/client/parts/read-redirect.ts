const readRedirect: Reader = ({ headers, url }) => headers.get('location') ?? url;
