{{factoryImport}}

{{declaration}} = {{factory}}(() => {
  return {{value}};
});
